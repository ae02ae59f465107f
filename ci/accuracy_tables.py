"""What ci/accuracy.py found, as Markdown."""


def us(value: float | None) -> str:
    """Four digits, but never finer than a nanosecond."""
    if value is None:
        return ""
    whole = len(str(int(abs(value))))
    return f"{value:.{max(0, min(3, 4 - whole))}f}"


def pct(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def label(case: str) -> str:
    """With the size of one buffer."""
    if case.split("/")[0] not in ("axpy", "copy"):
        return case
    return f"{case} ({int(case.split('/')[3]) // 2**18} MiB)"


def table(header: str, rows: list[list[str]]) -> list[str]:
    heads = header.split("|")
    lines = ["| " + " | ".join(head.strip() for head in heads) + " |", "|" + "---|" * len(heads)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def listing(title: str, names: list[str]) -> list[str]:
    return ["", f"## {title}", "", *[f"- {name}" for name in names]] if names else []


def markdown(found: dict) -> str:
    device, driver, runtime = found["device"] or ("no device", "", "")
    dates = " to ".join(dict.fromkeys((found["dates"][0], found["dates"][-1])))
    text = ["# How accurate the numbers are", ""]
    text += [f"{device}, driver {driver}, runtime {runtime}, {dates}: `{found['command']}`.",
             "Medians over processes; spread = (max - min) / median over processes.", ""]
    text += table("requirement | verdict | measured",
                  [[row["requirement"], row["verdict"].replace("fail", "**fail**"), row["measured"]]
                   for row in found["requirements"]])
    text += ["", "## Cases", "", "Truth: the known length of spin; else CUPTI's span in the same "
             f"cache state, where tracing slowed the replays by less than "
             f"{found['most_slowdown_pct']:g} %.",
             ""]
    text += table(
        "case | mode | cache | processes | latency us | spread % | truth us | bias us | bias % | "
        "sustained us | spread % | measured ms | window ms",
        [[label(row["case"]), row["mode"], row["cache"], str(row["processes"]),
          us(row["latency_us"]), pct(row["spread_pct"]), us(row["truth_us"]), us(row["bias_us"]),
          pct(row["bias_pct"]), us(row["sustained_us"]), pct(row["sustained_spread_pct"]),
          f"{row['measured_ms']:.1f}", f"{row['window_ms']:.1f}"] for row in found["cases"]])
    if found["traces"]:
        text += ["", "## Replays against CUPTI's trace of the same replays", ""]
        text += table(
            "case | processes | replay us | span us | busy us | gap us | span - replay us | % | "
            "span + gap - replay us | % | slowed by %",
            [[label(row["case"]), f"{row['processes']} of {row['traced']}", us(row["replay_us"]),
              us(row["span_us"]), us(row["busy_us"]), us(row["gap_us"]),
              us(row["span_less_replay_us"]), pct(row["span_less_replay_pct"]),
              us(row["period_less_replay_us"]), pct(row["period_less_replay_pct"]),
              pct(row["slowdown_pct"])] for row in found["traces"]])
    if found["fits"]:
        text += ["", "## Measured against known length of spin", "",
                 "The intercept is the device's gap from one call to the next; the residuals are"
                 " in us.", ""]
        known = list(dict.fromkeys(x for fit in found["fits"] for x in fit["known_us"]))
        text += table(
            "mode | weights | slope | intercept us | " + " | ".join(f"at {x:g} us" for x in known),
            [[fit["mode"], fit["weights"], f"{fit['slope']:.5f}", us(fit["intercept_us"]),
              *(us(dict(zip(fit["known_us"], fit["residuals_us"])).get(x)) for x in known)]
             for fit in found["fits"]])
    text += listing("Untrusted, counted all the same", found["untrusted"])
    text += listing("Left out", found["left_out"])
    text += listing("Missing", found["missing"])
    text += listing("CUPTI mode without a trace", found["untraced"])
    return "\n".join(text) + "\n"
