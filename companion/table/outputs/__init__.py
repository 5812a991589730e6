"""Outputs of the table: lights, voice, MQTT; none knows about the others."""
