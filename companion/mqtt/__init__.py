"""What tables and the hall say to each other: topics, payloads, signatures, and one MQTT client.

A table knows nothing of other tables, and neither side imports the other. All of it lies below
`rappelwacht/1/<table>/`:

    online   retained; last will `false`, QoS 1
    state    retained: what everybody may know, as codes and numbers, never sentences
    events   batches of the journal's open part, from the number that the hall asked for
    have     retained, from the hall: the next number that it wants
    command  from the hall: a wish, signed; never retained, for five seconds
    answer   what became of it
"""
