"""The running table: builds and joins its parts, its loop, inbox, error guard and outputs."""
