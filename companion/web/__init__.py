"""The pages, the live stream and the API that phones read and act by.

They must not touch the state of the table: they read the newest snapshot, which never changes, and
send commands to the table's thread, each with the version that its sender saw.

    phone ──> guard ──> pages, API ──> Command ──> the table's thread
    phone <── stream <── newest snapshot <───────────────┘
"""
