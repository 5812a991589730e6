"""What is seen in other browsers, and of many whole tables at once: before a release."""
