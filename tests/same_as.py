#!/usr/bin/env python3
"""Compares two result folders of one model: same_as.py OLD NEW LIMIT NAME.

Files are compared byte by byte. Tables and summaries that differ are compared number by number: a difference counts relative
to the largest value of its column (of its key). Exit code 0 if nothing differs by more than LIMIT.
"""
import csv
import json
import math
import os
import sys

# Not compared: what is read by people or by the program itself, and may be worded or laid out in another way.
SKIPPED_FOLDERS = {"checkpoint", "plots"}
SKIPPED_FILES = {"run.log", "report.html", "model.yaml", "verdicts.txt"}
# Not compared in summaries: times, versions, memory, texts of messages.
SKIPPED_KEYS = {"stickslip", "seconds", "memory_bytes", "messages", "text", "that", "name", "must_be"}
# Words that were renamed: old name of a key or column to its new name.
RENAMED = {}


def files(folder):
    found = set()
    for path, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if f not in SKIPPED_FOLDERS]
        found.update(os.path.relpath(os.path.join(path, n), folder) for n in names if n not in SKIPPED_FILES)
    return found


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def difference(a, b, scale):
    if a == b or (math.isnan(a) and math.isnan(b)):
        return 0.0
    if not (math.isfinite(a) and math.isfinite(b)):
        return math.inf
    return abs(a - b) / scale if scale > 0 else math.inf


def compare_tables(old, new):
    """Largest relative difference of two CSV files, and where."""
    rows = [list(csv.reader(open(f, newline="", encoding="utf-8"))) for f in (old, new)]
    if [len(r) for r in rows[0]] != [len(r) for r in rows[1]]:
        return math.inf, f"{len(rows[0])} rows, now {len(rows[1])}, or other columns"
    worst, where = 0.0, ""
    header = next((r for r in rows[0] if r and not r[0].startswith("#")), [])
    scales = {}
    for row in rows[0]:
        for i, text in enumerate(row):
            value = number(text)
            if value is not None and math.isfinite(value):
                scales[i] = max(scales.get(i, 0.0), abs(value))
    for n, (a, b) in enumerate(zip(*rows)):
        for i, (x, y) in enumerate(zip(a, b)):
            if RENAMED.get(x, x) == y:
                continue
            p, q = number(x), number(y)
            d = math.inf if p is None or q is None else difference(p, q, scales.get(i, 0.0))
            if d > worst:
                worst, where = d, f"row {n + 1}, column {header[i] if i < len(header) else i}: {x}, now {y}"
    return worst, where


def compare_values(a, b, path=""):
    """Largest relative difference of two JSON values, and where."""
    if isinstance(a, dict) and isinstance(b, dict):
        a = {RENAMED.get(k, k): v for k, v in a.items() if k not in SKIPPED_KEYS}
        b = {k: v for k, v in b.items() if k not in SKIPPED_KEYS}
        if a.keys() != b.keys():
            return math.inf, f"{path}: keys {sorted(a.keys() ^ b.keys())}"
        pairs = [(a[k], b[k], f"{path}.{k}") for k in a]
    elif isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return math.inf, f"{path}: {len(a)} values, now {len(b)}"
        pairs = [(x, y, f"{path}[{i}]") for i, (x, y) in enumerate(zip(a, b))]
    elif a == b:
        return 0.0, ""
    elif isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return difference(float(a), float(b), max(abs(a), abs(b))), f"{path}: {a}, now {b}"
    else:
        return math.inf, f"{path}: {a}, now {b}"
    return max((compare_values(*p) for p in pairs), key=lambda d: d[0], default=(0.0, ""))


def compare(old, new):
    if open(old, "rb").read() == open(new, "rb").read():
        return 0.0, ""
    if old.endswith(".csv"):
        return compare_tables(old, new)
    if old.endswith(".json"):
        return compare_values(json.load(open(old, encoding="utf-8")), json.load(open(new, encoding="utf-8")))
    return math.inf, "other bytes"


def main():
    old, new, limit, name = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4]
    both = files(old), files(new)
    bad = [f"{name}: only in the old results: {f}" for f in sorted(both[0] - both[1])]
    bad += [f"{name}: only in the new results: {f}" for f in sorted(both[1] - both[0])]
    for f in sorted(both[0] & both[1]):
        worst, where = compare(os.path.join(old, f), os.path.join(new, f))
        if worst > 0:
            print(f"{name}/{f}: {worst:.1e} ({where})")
        if worst > limit:
            bad.append(f"{name}/{f} differs by {worst:.1e}")
    for line in bad[:20]:
        print(line)
    return 1 if bad else 0


sys.exit(main())
