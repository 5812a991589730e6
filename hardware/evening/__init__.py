"""The evening of the readme: played and filmed on two phones and a television."""
