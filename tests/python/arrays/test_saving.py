"""What becomes of files: names, links, permissions, archives, the disk; NumPy is the oracle."""

from __future__ import annotations

import errno
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from phalanx._arrays import files

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")

HOST = np.arange(6.0).reshape(2, 3)


def save(library, name, value=HOST):
    library.save(name, value if library is np else px.asarray(value))


@pytest.mark.parametrize("mode", [0o200, 0o600, 0o640, 0o644, 0o666])
def test_a_file_keeps_its_permissions(tmp_path, mode):
    path = tmp_path / "x.npy"
    path.touch()
    path.chmod(mode)
    save(px, path)
    assert stat.S_IMODE(path.stat().st_mode) == mode
    path.chmod(0o600)
    assert np.array_equal(np.load(path), HOST)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_keeps_its_owner(tmp_path):
    save(np, tmp_path / "x.npy", np.zeros(1))
    os.chown(tmp_path / "x.npy", 65534, 65533)
    save(px, tmp_path / "x.npy")
    found = (tmp_path / "x.npy").stat()
    assert (found.st_uid, found.st_gid) == (65534, 65533)


@pytest.mark.parametrize("shape", [(2, 3), (0, 3)])
def test_a_new_file_has_the_permissions_of_numpys(tmp_path, shape):
    for library in (np, px):
        save(library, tmp_path / library.__name__, np.ones(shape))
    theirs, ours = (tmp_path / f"{each.__name__}.npy" for each in (np, px))
    assert ours.stat().st_mode == theirs.stat().st_mode


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to every file")
def test_a_protected_file_stays_as_it_is(tmp_path):
    path = tmp_path / "x.npy"
    save(np, path, np.zeros(1))
    path.chmod(0o444)
    with pytest.raises(PermissionError, match=r"x\.npy'$"):
        save(px, path)
    assert np.load(path).tolist() == [0]
    assert [each.name for each in tmp_path.iterdir()] == ["x.npy"]


@pytest.mark.parametrize("there", ["an older file", "nothing"])
def test_a_save_goes_through_symbolic_links(tmp_path, there):
    folder = tmp_path / "data"
    folder.mkdir()
    target, link = folder / "target.npy", tmp_path / "link.npy"
    if there != "nothing":
        save(np, target, np.zeros(1))
    link.symlink_to("data/target.npy")
    save(px, link)
    assert link.is_symlink()
    assert np.array_equal(np.load(target), HOST)
    assert sorted(each.name for each in folder.iterdir()) == ["target.npy"]


NAMES = ["", "x", "x.npy", ".npy", "x.txt", "x.npy.npy", ".hidden"]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_files(tmp_path, monkeypatch, name):
    written = {}
    for library in (np, px):
        folder = tmp_path / library.__name__
        folder.mkdir()
        monkeypatch.chdir(folder)
        save(library, name)
        written[library] = [each.name for each in folder.iterdir()]
    assert written[px] == written[np]
    assert np.array_equal(np.load(written[px][0]), HOST)


@pytest.mark.parametrize("name", ["gone/x.npy", "gone/x", "file/x.npy", "folder.npy"])
def test_errors_name_the_file_that_was_given(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "folder.npy").mkdir()
    found = []
    for library in (np, px):
        with pytest.raises(OSError) as caught:
            save(library, name)
        found.append((type(caught.value), str(caught.value)))
    assert found[0] == found[1]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "folder.npy"]


def test_threads_that_save_to_one_file(tmp_path):
    path = tmp_path / "x.npy"
    hosts = [np.full(5000, i) for i in range(4)]

    def save_often(host):
        for _ in range(20):
            px.save(path, px.asarray(host))

    with ThreadPoolExecutor(len(hosts)) as pool:
        list(pool.map(save_often, hosts))
    assert any(np.array_equal(np.load(path), host) for host in hosts)
    assert [each.name for each in tmp_path.iterdir()] == ["x.npy"]


def test_bfloat16_has_no_format(tmp_path):
    x = px.asarray([1.5, -2], dtype=px.bfloat16)
    save(np, tmp_path / "x.npy", np.zeros(1))
    with pytest.raises(TypeError, match=r"bfloat16: save x\.astype\('float32'\)"):
        px.save(tmp_path / "x.npy", x)
    assert np.load(tmp_path / "x.npy").tolist() == [0]
    px.save(tmp_path / "x.npy", x.view("uint16"))
    assert px.load(tmp_path / "x.npy").view(px.bfloat16).tolist() == [1.5, -2]


LOADS = [
    ((), {"allow_pickle": False}),
    ((), {"fix_imports": False, "encoding": "latin1"}),
    ((None, False, True, "bytes"), {}),
    ((), {"max_header_size": 5000}),
    ((), {"max_header_size": 5}),
    ((), {"mmap_mode": "r", "allow_pickle": False}),
    ((), {"encoding": "utf-8"}),
    ((), {"unknown": 1}),
]


@pytest.mark.parametrize(("args", "options"), LOADS)
def test_load_takes_what_numpys_takes(tmp_path, args, options):
    save(np, tmp_path / "x.npy")
    outcomes = []
    for library in (np, px):
        try:
            outcomes.append(np.asarray(library.load(tmp_path / "x.npy", *args, **options)).tolist())
        except (TypeError, ValueError) as error:
            outcomes.append(type(error))
    assert outcomes[0] == outcomes[1]


def test_pickles_are_refused(tmp_path):
    save(np, tmp_path / "x.npy")
    with pytest.raises(TypeError, match=r"leave out allow_pickle=True, .* numpy\.load"):
        px.load(tmp_path / "x.npy", allow_pickle=True)


def test_archives(tmp_path):
    hosts = {"a": np.arange(3), "b": HOST, "c.npy": np.zeros((0, 2))}
    np.savez(tmp_path / "z.npz", **hosts)
    with px.load(tmp_path / "z.npz") as archive, np.load(tmp_path / "z.npz") as theirs:
        assert archive.files == theirs.files
        assert list(archive) == list(theirs)
        assert len(archive) == len(theirs)
        for name in theirs:
            assert isinstance(archive[name], px.ndarray)
            assert archive[name].device == px.current_device().name
            assert np.array_equal(np.asarray(archive[name]), theirs[name])
        assert "a" in archive
        assert "z" not in archive
        with pytest.raises(KeyError, match="which has a, b"):
            archive["z"]
        kept = dict(archive)
        assert "a, b" in repr(archive)
    with pytest.raises(ValueError, match="file is closed"):
        archive["a"]
    archive.close()
    assert np.array_equal(np.asarray(kept["b"]), HOST)


@pytest.mark.parametrize("name", ["savez", "savez_compressed"])
def test_archives_of_ours(tmp_path, name):
    for library, one in ((np, HOST), (px, px.asarray(HOST))):
        getattr(library, name)(tmp_path / library.__name__, one, [1, 2], named=one * 2)
    theirs, ours = (np.load(tmp_path / f"{each.__name__}.npz") for each in (np, px))
    assert ours.files == theirs.files
    for each in ours.files:
        assert ours[each].dtype == theirs[each].dtype
        assert np.array_equal(ours[each], theirs[each])
    with pytest.raises(TypeError, match="have no bfloat16"):
        getattr(px, name)(tmp_path / "b", x=px.ones(3, dtype=px.bfloat16))
    assert not (tmp_path / "b.npz").exists()


def test_an_archive_that_is_not_closed_lets_its_file_go(tmp_path):
    np.savez(tmp_path / "z.npz", a=np.arange(3))
    before = len(list(Path("/proc/self/fd").iterdir()))
    assert px.load(tmp_path / "z.npz")["a"].tolist() == [0, 1, 2]
    assert len(list(Path("/proc/self/fd").iterdir())) == before


VIEWS = {
    "all": lambda x: x,
    "a part": lambda x: x[100:200],
    "backwards": lambda x: x[::-3],
    "turned": lambda x: x.reshape(20, 500).T,
    "one": lambda x: x[7:8],
}


@pytest.mark.parametrize("view", VIEWS)
def test_flush_writes_the_pages_of_the_map(tmp_path, monkeypatch, view):
    x = px.memmap(tmp_path / "x.bin", "float64", "w+", shape=(10000,))
    x[...] = px.arange(10000.0)
    ranges = []
    monkeypatch.setattr(files, "_sync", lambda first, last: ranges.append((first, last)))
    VIEWS[view](x).flush()
    address = np.asarray(x).__array_interface__["data"][0]
    theirs = np.lib.array_utils.byte_bounds(VIEWS[view](np.asarray(x)))
    assert ranges == [theirs]
    assert theirs[0] >= address
    monkeypatch.undo()
    x.flush()
    assert np.array_equal(np.fromfile(tmp_path / "x.bin"), np.arange(10000.0))


def test_flush_of_other_arrays_has_nothing_to_do():
    for x in (px.ones(3) + 1, px.zeros(0), px.asarray(np.ones(5)), px.arange(3)[0]):
        assert x.flush() is None


def test_a_flush_that_fails_is_an_error():
    with pytest.raises(OSError) as caught:
        files._sync(4096, 8192)  # where nothing is mapped
    assert caught.value.errno == errno.ENOMEM


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
@pytest.mark.parametrize("mode", ["w+", "r+"])
def test_maps_without_elements(tmp_path, shape, mode):
    found = []
    for library in (np, px):
        path = tmp_path / library.__name__
        if mode == "r+":
            path.write_bytes(bytes(8))
        mapped = library.memmap(path, "f8", mode, shape=shape)
        mapped[...] = 1
        mapped.flush()
        found.append((mapped.shape, mapped.dtype, path.stat().st_size))
    assert found[0] == found[1]


def read_only(library, path):
    """Arrays that cannot be written to, and views of them."""
    save(np, path, np.zeros(4000))
    fixed = np.zeros(4000)
    fixed.flags.writeable = False
    for x in (
        library.load(path, mmap_mode="r"),
        library.memmap(path, "f8", "r"),
        library.asarray(fixed),
        library.asarray(np.broadcast_to(np.ones(1), (40, 100))),
        library.frombuffer(bytes(800)),
    ):
        yield from (x, x[::2], x.T, x.reshape(2, -1))


def test_flags_of_what_cannot_be_written_to(device, tmp_path):
    with px.device("cpu"):
        pairs = zip(
            read_only(px, tmp_path / "x.npy"), read_only(np, tmp_path / "x.npy"), strict=True
        )
        for ours, theirs in pairs:
            assert ours.flags.writeable == theirs.flags.writeable, theirs
            if not theirs.flags.writeable:
                with pytest.raises(ValueError, match="read-only"):
                    ours[...] = 1
            assert (ours + 1).flags.writeable
            assert ours.copy().flags.writeable


def test_flags_of_what_can_be_written_to(tmp_path):
    save(np, tmp_path / "x.npy", np.zeros(4000))
    for mode in ("r+", "c"):
        assert px.load(tmp_path / "x.npy", mmap_mode=mode).flags.writeable
    assert px.asarray(np.ones(3)).flags.writeable
    assert px.asarray([1, 2]).flags.writeable
