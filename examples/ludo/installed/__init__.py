"""What is tested where Ludo is installed."""
