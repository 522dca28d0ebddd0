"""A Ray cluster of three nodes: the same bytes as here, whoever dies."""

import contextlib
import importlib.util
import os
import socket
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest

from reference import ray_work
from reference.phrasebook_model import write_phrasebook_model
from reference.standstill import Written, kill_when, wait_until
from reference.tiny_models import random_model
from tunesmith.base.errors import InputError, OptionError, TunesmithError
from tunesmith.cli.main import main
from tunesmith.corpus import phrasebook
from tunesmith.decode import KBest, SearchOptions, open_decoder
from tunesmith.engine import ThreadEngine, engine_at, packing, slot
from tunesmith.engine.ray_engine import RayEngine
from tunesmith.engine.reduction import reduced

pytestmark = [
    pytest.mark.xdist_group("ray"),  # one cluster, not one in each process
    pytest.mark.skipif(
        importlib.util.find_spec("ray") is None, reason="the package ray is not installed"
    ),
]

HOST = "127.0.0.1"
CLIENT = []
"""The port of the cluster's door for processes elsewhere."""
NODE = {"num_cpus": 1, "object_store_memory": 100 << 20, "node_ip_address": HOST}


def free_port():
    """A port that no connection takes before the cluster listens: below those given out to any."""
    for port in range(24_000 + os.getpid() % 4_000, 32_768):  # Ray Client's own: 23,000 to 24,000
        with socket.socket() as free, contextlib.suppress(OSError):
            free.bind((HOST, port))
            return port
    raise AssertionError("no free port")


@pytest.fixture(scope="module")
def cluster():
    from tunesmith.engine.ray_library import ray

    ray()  # which says nothing to anybody about its use
    from ray.cluster_utils import Cluster

    # The door for processes elsewhere then knows the head by this address, too.
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    # A node that a busy machine keeps waiting is not dead.
    monkeypatch.setenv("RAY_health_check_timeout_ms", "600000")
    monkeypatch.setenv("RAY_worker_register_timeout_seconds", "600")

    CLIENT.append(free_port())
    cluster = Cluster(
        initialize_head=True,
        head_node_args={**NODE, "include_dashboard": False, "ray_client_server_port": CLIENT[0]},
    )
    for _ in range(2):
        cluster.add_node(**NODE)
    yield cluster
    for engine in list(RayEngine._open):
        engine.close()
    cluster.shutdown()
    monkeypatch.undo()


@pytest.fixture(scope="module")
def engine(cluster):
    return RayEngine(cluster.address, 2)


def test_a_worker_for_every_cpu_of_three_nodes(engine, tmp_path):
    assert engine.workers == 3
    assert engine.threads == 2
    assert engine.share(3) == ThreadEngine(1)
    workers = engine.map(partial(ray_work.meet, folder=tmp_path), range(3))
    assert len(set(workers)) == 3
    assert os.getpid() not in workers
    (tmp_path / "again").mkdir()
    # They stay, and each gets the shard that it had.
    assert engine.map(partial(ray_work.meet, folder=tmp_path / "again"), range(3)) == workers


def descendants():
    """Processes that this one has started, and those that these have."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            after_name = (folder / "stat").read_text().rpartition(")")[2].split()
            parents[int(folder.name)] = int(after_name[1])
    found = [os.getpid()]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found[1:]


LOOPBACK = {"0100007F", "0000000000000000FFFF00000100007F"}


def listening():
    """Addresses at which programs of this test's cluster listen, by /proc (hexadecimal)."""
    own = set()
    for process in descendants():
        for link in Path(f"/proc/{process}/fd").glob("*"):
            with contextlib.suppress(OSError):
                if (name := os.readlink(link)).startswith("socket:"):
                    own.add(name[8:-1])
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            columns = line.split()
            if columns[3] == "0A" and columns[9] in own:
                yield columns[1].partition(":")[0]


def test_it_listens_to_this_machine_alone(engine):
    engine.map(ray_work.square, [1])
    found = list(listening())
    assert len(found) > 5
    assert set(found) <= LOOPBACK


def test_results_come_in_the_order_of_the_shards(engine):
    assert engine.map(ray_work.square, range(20)) == [n * n for n in range(20)]
    assert sorted(engine.as_done(ray_work.square, [3, 4])) == [(0, 9), (1, 16)]
    assert engine.map(ray_work.square, []) == []


@pytest.mark.parametrize("shards", [1, 2, 7])
def test_results_are_merged_in_a_tree_that_shards_alone_decide(engine, shards):
    expected, heard = reduced(range(shards), ray_work.bracketed), []
    assert engine.reduce(int, range(shards), ray_work.bracketed, heard.append) == expected
    assert sorted(heard) == list(range(shards))


def test_the_error_of_a_shard_arrives_whole(engine):
    with pytest.raises(InputError, match="file:7: two, expected another number"):
        engine.map(ray_work.fail, [1, 2, 3])


def test_a_full_disk_names_the_node_and_the_shard(engine):
    with pytest.raises(TunesmithError) as caught:
        engine.map(ray_work.fill_the_disk, [1])
    assert str(caught.value) == (
        "fill_the_disk, shard 1 of 1 on node 127.0.0.1: /some/file: No space left on device"
    )


def test_what_no_module_has_is_refused(engine):
    def own(number):
        return number

    own.__module__ = "__main__"
    with pytest.raises(OptionError, match="own is a function of the script that runs"):
        engine.map(own, [1])


def test_workers_keep_what_they_have_opened(engine, tmp_path):
    opened, uses = ray_work.Opened(), []
    for name in "ab":
        (tmp_path / name).mkdir()
        work = partial(ray_work.use, opened=opened, folder=tmp_path / name)
        uses.append(engine.map(work, range(3)))
    assert uses == [[1, 1, 1], [2, 2, 2]]


def test_files_that_are_not_there_are_copied(engine, tmp_path, monkeypatch):
    """Workers see other times of the files than the sender says, so theirs are not the same."""
    (tmp_path / "folder" / "below").mkdir(parents=True)
    (tmp_path / "folder" / "below" / "b").write_text(" and b")
    for name in "xyz":
        (tmp_path / name).write_text(name)
    here = partial(ray_work.text_of, other=tmp_path / "folder")
    plain = engine.map(here, [tmp_path / name for name in "xyz"])
    assert plain == [(str(tmp_path / n), tmp_path / "folder" / f"made.{n}") for n in "xyz"]
    for _, made in plain:
        made.unlink()
    real = packing.stamp
    monkeypatch.setattr(
        packing,
        "stamp",
        lambda path: (
            (found := real(path)) and tuple((n, size, time + 1) for n, size, time in found)
        ),
    )
    for _ in range(2):
        found = engine.map(here, [tmp_path / name for name in "xyz"])
        assert all("tunesmith-copies" in where for where, _ in found)
        assert [made.read_text() for _, made in found] == [f"{name} and b" for name in "xyz"]
        assert [made for _, made in found] == [made for _, made in plain]


def test_decoding_gives_the_same_bytes(engine, tmp_path):
    model, _, _ = random_model(5, tmp_path / "model")
    texts = ["a b c a", "", *(" ".join(words) for words in (["a"] * 5, ["b", "a", "c"]))]
    search = SearchOptions(pop_limit=15)
    found = [
        open_decoder(model, search=search, engine=one).decode(texts, want=KBest(5))
        for one in (ThreadEngine(1), engine)
    ]
    assert found[0].texts == found[1].texts
    assert found[0].scores.tobytes() == found[1].scores.tobytes()
    assert found[0].features.tobytes() == found[1].features.tobytes()


def test_a_killed_worker_is_replaced(engine, tmp_path):
    assert engine.map(partial(ray_work.die_once, folder=tmp_path), range(6)) == [
        0, 1, 4, 9, 16, 25,
    ]  # fmt: skip
    assert (tmp_path / "died").exists()


def test_work_that_kills_every_worker_is_given_up(engine):
    with pytest.raises(TunesmithError) as caught:
        engine.map(ray_work.die, [1])
    assert str(caught.value) == (
        "die, shard 1 of 1: its worker on node 127.0.0.1 died, after 4 attempts; was memory short "
        "there?"
    )


def test_another_program_on_a_node_is_refused(cluster, monkeypatch):
    monkeypatch.setattr(slot.tunesmith, "__version__", "0.0.9")
    other = RayEngine(cluster.address, 1)
    with pytest.raises(
        TunesmithError, match=r"^node 127.0.0.1 has Tunesmith .* expected Tunesmith "
    ):
        other.map(ray_work.square, [1])
    other.close()


@pytest.mark.parametrize("gather", ["map", "reduce"])
def test_a_node_that_dies_in_the_middle(cluster, tmp_path, gather):
    import ray

    cluster.add_node(**NODE)
    engine = RayEngine(cluster.address, 2)
    assert engine.workers >= 3
    own = ray.get_runtime_context().get_node_id()  # through which this process is connected
    others = {one.node_id: one for one in cluster.worker_nodes if one.node_id != own}
    work = partial(ray_work.on_a_node, folder=tmp_path)

    def kill_when_it_works():
        began = wait_until(
            lambda: others.keys() & {path.suffix[1:] for path in tmp_path.glob("began.*")}
        )
        cluster.remove_node(others[min(began)], allow_graceful=False)
        (tmp_path / "go").touch()

    killer = threading.Thread(target=kill_when_it_works)
    killer.start()
    expected = [bytes([number]) * 300_000 for number in range(8)]
    if gather == "map":
        assert engine.map(work, range(8)) == expected
    else:
        heard = []
        found = engine.reduce(work, range(8), ray_work.first_two, heard.append)
        assert found == reduced(expected, ray_work.first_two)
        assert sorted(heard) == list(range(8))
    killer.join()
    numbers = [path.name.split(".")[1] for path in tmp_path.glob("began.*")]
    assert len(numbers) > len(set(numbers))  # something was begun twice
    engine.close()


TRAIN = [
    "--order=2", "--iterations=2", "--size=7", "--learner=maxforce", "--retune=1",
    "--maxforce-epochs=2",
    "--maxforce-folds=2", "--maxforce-beam=10",
    "--maxforce-dev-pop-limit=10", "--source-language=de", "--split-compounds=no",
    "--features=dense",
]  # fmt: skip


@pytest.mark.parametrize(
    "method", [["max-violation"], ["ranking", "--maxforce-shard-size=30", "--maxforce-keep=500"]]
)
def test_a_killed_training_goes_on(cluster, tmp_path, method):
    """All of `train` over the cluster, killed in the middle of the learner and begun again."""
    how = [*TRAIN, f"--maxforce-method={method[0]}", *method[1:]]
    phrasebook.write(tmp_path, seed=9, dev=12, test=2, train=300)
    (tmp_path / "config.toml").write_text("[align]\nibm1 = 3\nibm2 = 0\nhmm = 2\n")
    files = [f"--{option}={tmp_path / name}" for option, name in (
        ("src", "train.de"), ("tgt", "train.en"), ("dev-src", "dev.de"), ("dev-ref", "dev.en"),
        ("config", "config.toml"),
    )]  # fmt: skip
    assert main(["train", *files, *how, "--threads=2", f"--out={tmp_path / 'here'}"]) == 0
    out = tmp_path / "there"
    for engine in list(RayEngine._open):
        engine.close()  # its workers have all CPUs
    command = ["train", *files, *how, f"--engine=ray:{cluster.address}", f"--out={out}"]
    kill_when(Written(f"{out}.work", "maxforce.json"), command)
    assert not out.exists()
    subprocess.run(
        [sys.executable, "-m", "tunesmith.cli.main", *command], check=True, capture_output=True
    )
    bytes_of = [
        {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "run.json"}
        for folder in (tmp_path / "here", out)
    ]
    assert bytes_of[0] == bytes_of[1]


def test_tuners_are_compared_there(cluster, tmp_path):
    """Every run of `compare` is a shard; tables, weights and translations are the same."""
    write_phrasebook_model(tmp_path)
    for engine in list(RayEngine._open):
        engine.close()  # its workers have all CPUs
    files = [f"--{option}={tmp_path / name}" for option, name in (
        ("dev-src", "dev.de"), ("dev-ref", "dev.en"), ("test-src", "test.de"),
        ("test-ref", "test.en"),
    )]  # fmt: skip
    made = []
    for place in ("threads", f"ray:{cluster.address}"):
        out = tmp_path / place[:3]
        subprocess.run(
            [sys.executable, "-m", "tunesmith.cli.main", "compare", str(tmp_path / "model"), *files,
             "--tuners=kb-mira,pro", "--replicates=2", "--iterations=2", "--size=10",
             "--pop-limit=10", "--bootstrap-samples=100", "--randomisation-trials=100",
             f"--engine={place}", f"--out={out}"], check=True, capture_output=True,
        )  # fmt: skip
        made.append({
            str(path.relative_to(out)): path.read_bytes()
            for name in ("table.tsv", "weights.tsv", "test.out")
            for path in sorted(out.rglob(name))
        })  # fmt: skip
    assert len(made[0]) == 9
    assert made[0] == made[1]


def test_a_cluster_joined_from_outside(cluster, tmp_path):
    """By `ray://`: a process that is no part of the cluster has its sentences translated there."""
    model, _, _ = random_model(5, tmp_path / "model")
    for engine in list(RayEngine._open):
        engine.close()  # its workers have all CPUs
    answers = []
    for place in ("threads", f"ray://{HOST}:{CLIENT[0]}"):
        answer = subprocess.run(
            [sys.executable, "-m", "tunesmith.cli.main", "translate", str(model.folder),
             "--engine", place, "--nbest=5", f"--nbest-out={tmp_path / 'lists'}"],
            input="a b c\na\n", capture_output=True, text=True,
        )  # fmt: skip
        assert (answer.returncode, answer.stderr) == (0, "")
        answers.append((answer.stdout, (tmp_path / "lists").read_bytes()))
        if place != "threads":
            assert set(listening()) <= LOOPBACK
    assert answers[0] == answers[1]


def test_places():
    assert engine_at("threads") == ThreadEngine()
    assert engine_at("ray") == RayEngine()
    assert engine_at("ray:auto", ThreadEngine(3)) == RayEngine("auto", 3)
    assert engine_at("ray:10.0.0.1:6379") == RayEngine("10.0.0.1:6379")
    assert engine_at("ray://head") == RayEngine("ray://head")
    for wrong in ("", "ray:", "ray://", "rays", "thread", "slurm"):
        with pytest.raises(OptionError, match=f"^engine '{wrong}', expected threads, processes, "):
            engine_at(wrong)


def test_a_cluster_that_cannot_be_reached(tmp_path, capsys):
    with socket.socket() as taken:
        taken.bind((HOST, 0))  # nobody listens
        port = taken.getsockname()[1]
        for place in (f"ray:{HOST}:{port}", f"ray://{HOST}:{port}"):
            assert main(["translate", str(tmp_path), "--engine", place]) == 2
            address = place.removeprefix("ray:") if "//" not in place else place
            assert capsys.readouterr().err == (
                f"tunesmith translate: engine ray: the cluster {address} cannot be reached: "
                "Connection refused\n"
            )


def test_a_cluster_of_this_machine_leaves_nothing_behind(tmp_path):
    """Started, used and ended by a process of its own, which says nothing."""
    model, _, _ = random_model(5, tmp_path / "model")
    answers = []
    for place in ("threads", "ray"):
        process = subprocess.Popen(
            [sys.executable, "-m", "tunesmith.cli.main", "translate", str(model.folder),
             f"--engine={place}", "--threads=2"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        out, err = process.communicate("a b c\na\n")
        assert (process.returncode, err) == (0, "")
        answers.append(out)
        assert not list(Path("/tmp").glob(f"tunesmith-ray-{process.pid}-*"))
    assert answers[0] == answers[1]
