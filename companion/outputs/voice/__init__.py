"""The table's own voice: says by a loudspeaker at the Pi what the pages say."""
