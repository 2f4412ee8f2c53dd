"""Expectations of an explanation, and the excerpt of it that is kept."""
# SPDX-License-Identifier: GPL-3.0-or-later

AGREEMENT = 0.02
ACCOUNTED = 0.995


def expectation(what, holds, detail):
    return {"what": what, "holds": bool(holds), "detail": detail}


def base_path(summary):
    return next((path for path in summary["paths"] if path["base"]), {"processes": []})


def contributor(summary, process):
    """Return the sum over the contributors with this process name."""
    found = [one for one in summary["contributors"] if one["process"] == process]
    return {key: sum(one[key] for one in found) for key in ("running_ns", "interrupted_ns", "io_ns", "network_ns")}


def clock_of(summary, process):
    """Return the time that the process's own CPU clock counts, which includes interrupts of its
    runs."""
    found = contributor(summary, process)
    return found["running_ns"] + found["interrupted_ns"]


def time_through(summary, process):
    """Return the wall time spent in the process and in everything called through it."""
    return sum(one["share"] * summary["wall_ns"] for one in summary["contributors"] if process in one["called_through"])


def is_in_order(wanted, names):
    rest = iter(names)
    return all(name in rest for name in wanted)


def compare(pairs):
    return [{"what": what, "own_ns": own, "ours_ns": ours, "difference": (ours - own) / own if own else None}
            for what, own, ours in pairs]


def excerpt(report):
    """Return the small part of a report that results keep."""
    summary = report["summary"]
    contributors = [{key: one[key] for key in ("process", "running_ns", "io_ns", "network_ns", "share", "files", "peers",
                                               "called_through", "top_stack")} for one in summary["contributors"][:5]]
    return {
        "process": summary["process"], "wall_ns": summary["wall_ns"], "total_ns": summary["total_ns"],
        "accounted_share": summary["accounted_share"], "explained_share": summary["explained_share"],
        "categories": summary["categories"], "base_path": base_path(summary)["processes"],
        "paths": len(summary["paths"]), "processes": len({name for path in summary["paths"] for name in path["processes"]}),
        "contributors": contributors, "oversleeps": summary["oversleeps"][:3], "dropped_links": summary["dropped_links"],
        "findings": [finding["text"] for finding in report["findings"][:6]],
        "uncertain": report["uncertain"],
    }


def explained_share(summary, expects_timeouts):
    """Return the analysis's explained share; timeouts count as explained where they are the
    workload's purpose."""
    denominator = summary["total_ns"] - summary["categories"]["other_path"]
    if not expects_timeouts or denominator <= 0:
        return summary["explained_share"]
    return summary["explained_share"] + summary["categories"]["timed_out"] / denominator


def list_common_expectations(case, report, agreements):
    summary = report["summary"]
    total, added = summary["total_ns"], sum(summary["categories"].values())
    names = base_path(summary)["processes"]
    explained = explained_share(summary, case.expects_timeouts)
    first = summary["contributors"][0]["process"] if summary["contributors"] else "none"
    found = [
        expectation("the base path names the processes in order", is_in_order(case.chain, names), " → ".join(names)),
        expectation("the largest contributor is the true one", first == case.largest, f"{first}, to be {case.largest}"),
        expectation("the categories add up to the total", added == total, f"{added} of {total} ns"),
        expectation("99.5 % is accounted for", summary["accounted_share"] >= ACCOUNTED,
                    f"{summary['accounted_share']:.2%}"),
        expectation("the explained share reaches its goal", explained >= case.explained_goal,
                    f"{explained:.1%}{' with timeouts' if case.expects_timeouts else ''}, goal {case.explained_goal:.0%}"),
    ]
    for one in agreements:
        agrees = one["difference"] is not None and abs(one["difference"]) <= AGREEMENT
        found.append(expectation(f"{one['what']} agrees within 2 %", agrees,
                                 f"own {one['own_ns'] / 1e6:.2f} ms, ours {one['ours_ns'] / 1e6:.2f} ms"))
    return found
