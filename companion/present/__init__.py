"""What people read and see, without any web: records, sentences, charts, pictures, scenes."""
