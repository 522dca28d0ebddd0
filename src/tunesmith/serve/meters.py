"""`Meters`: what the server counts, for Prometheus."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

_SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


class Meters:
    """Requests by route and status, their times; sentences, words and time of every model."""

    def __init__(self) -> None:
        own = self._own = CollectorRegistry()
        ProcessCollector(registry=own)
        self._requests = Counter(
            "tunesmith_requests", "answers given", ("method", "route", "status"), registry=own
        )
        self._seconds = Histogram(
            "tunesmith_request_seconds", "time from a request to its answer", ("route",),
            buckets=_SECONDS, registry=own,
        )  # fmt: skip
        self._sentences = Histogram(
            "tunesmith_sentence_seconds", "time that a sentence took a worker", ("model",),
            buckets=_SECONDS, registry=own,
        )  # fmt: skip
        self._words = Counter(
            "tunesmith_source_words", "words translated, in the model's tokens", ("model",),
            registry=own,
        )  # fmt: skip

    def watch(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Show a value as it is when somebody looks."""
        Gauge(f"tunesmith_{name}", meaning, registry=self._own).set_function(value)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def sentence(self, model: str, words: int, seconds: float) -> None:
        """Count a sentence that was translated (not one that was remembered)."""
        self._sentences.labels(model).observe(seconds)
        self._words.labels(model).inc(words)

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        return generate_latest(self._own)
