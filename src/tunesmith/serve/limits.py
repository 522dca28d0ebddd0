"""`ServerLimits`: how much a request may ask for, and how long anything may take."""

from dataclasses import dataclass

from tunesmith.base.parameters import parameter


@dataclass(frozen=True)
class ServerLimits:
    """What keeps one client from taking the server from the others."""

    workers: int = parameter(0, "threads that translate; 0: all cores", at_least=0, at_most=1024)
    queue: int = parameter(
        64, "requests that may wait or be worked on; more are answered with 429", at_least=1
    )
    max_bytes: int = parameter(1_000_000, "bytes of a request", at_least=1)
    max_sentences: int = parameter(500, "sentences of a request", at_least=1)
    max_words: int = parameter(400, "words of a sentence, in the model's tokens", at_least=1)
    max_characters: int = parameter(20_000, "characters of a paragraph", at_least=1)
    max_size: int = parameter(100, "alternatives of a sentence", at_least=1, at_most=10_000)
    max_alternatives: int = parameter(
        1000, "alternatives of all sentences of a request", at_least=1
    )
    max_terms: int = parameter(1000, "terms and forbidden words of a request", at_least=0)
    seconds: float = parameter(30.0, "for the answer to a request, waiting included", above=0)
    sentence_seconds: float = parameter(
        10.0, "for a sentence, then the rest of it is done greedily", above=0
    )
    read_seconds: float = parameter(10.0, "for a client to send its request", above=0)
    idle_seconds: float = parameter(30.0, "that a connection stays open unused", above=0)
    max_connections: int = parameter(1000, "that are open at a time", at_least=1)
    sessions: int = parameter(8, "sets of weights that are kept ready for each model", at_least=1)
    remembered: int = parameter(
        2000, "translated sentences that are remembered for each model; 0: none", at_least=0
    )
