"""sacreBLEU's own statistics of many hypotheses, one by one."""


def sacrebleu_stats(metric, texts, ids, references):
    cache = metric._cache_references(references)
    return [
        metric._compute_segment_statistics(metric._preprocess_segment(text), cache[i])
        for text, i in zip(texts, ids, strict=True)
    ]
