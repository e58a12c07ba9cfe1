"""The local mailboxes and the games of a judge as pages for the person at this machine."""
