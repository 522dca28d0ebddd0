"""The kinds of sentences: functions from grammar and chance to German, English, final mark."""
