"""What `judge doctor` looks at: this machine, the database, the names of the domain, the ways of its mail."""
