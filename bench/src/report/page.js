"use strict";
// The script makes everything on the page from the rows in #data. It fetches nothing.
const { made, rows } = JSON.parse(document.getElementById("data").textContent);

const escaped = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const unique = (values) => [...new Set(values)];
const label = (row) => `${row.case} ${row.element}`;
const present = (value) => value !== null && value !== undefined;
const digits = (value) => Number(value.toPrecision(3)).toString();

function time(seconds) {
  if (!present(seconds)) return "";
  const size = Math.abs(seconds);
  const [factor, unit] = size < 1e-6 ? [1e9, "ns"] : size < 1e-3 ? [1e6, "µs"] : size < 1 ? [1e3, "ms"] : [1, "s"];
  return `${digits(seconds * factor)} ${unit}`;
}
function large(value) {
  if (!present(value)) return "";
  const [factor, unit] = [[1e12, " T"], [1e9, " G"], [1e6, " M"], [1e3, " k"]].find(([f]) => value >= f) ?? [1, ""];
  return digits(value / factor) + unit;
}
const percent = (part) => (present(part) ? `${(100 * part).toFixed(1)} %` : "");
const rate = (value) => (present(value) ? Number(value.toPrecision(4)).toString() : "");
const ratio = (value) => (present(value) ? value.toFixed(2) : "");
const power = (n) => (n >= 1024 && Number.isInteger(Math.log2(n)) ? `2^${Math.log2(n)}` : String(n));

const devices = unique(rows.map((row) => row.device));
// A device's name without its platform, unless another device would have the same name.
const short = (device) => {
  const name = device.replace(/ \(.*\)$/, "");
  return devices.filter((other) => other.replace(/ \(.*\)$/, "") === name).length > 1 ? device : name;
};
// The beginning of the name, unless another device's name begins alike.
const brief = (device) => {
  const begin = (device) => short(device).slice(0, 12);
  return devices.some((other) => other !== device && begin(other) === begin(device)) ? short(device) : begin(device);
};
const peers = unique(rows.flatMap((row) => Object.keys(row.peers ?? {}))).sort();
// page.css has twelve colours, one for each library.
const colour = (index) => `var(--c${index % 12})`;
// Returns, of each case on a device, the row with the most elements.
function largest(device, wanted) {
  const best = new Map();
  for (const row of rows.filter((row) => row.device === device && wanted(row))) {
    const known = best.get(label(row));
    if (!known || row.n > known.n) best.set(label(row), row);
  }
  return best;
}

// Fills a section's element, or hides the section if `html` is empty.
function fill(id, selector, html) {
  const section = document.getElementById(id);
  if (html) section.querySelector(selector).innerHTML = html;
  else section.hidden = true;
}
const entry = (name, fill) => `<span><i style="background:${fill}"></i>${escaped(name)}</span>`;

const drivers = devices.map((device) => `${device}, driver ${rows.find((row) => row.device === device).driver}`);
document.getElementById("about").textContent = [made, ...drivers].join(" · ");

// Tables. A column is [heading, value of a row, text of the value]; rows are sorted by values.
function table(columns, all, attributes = "") {
  const head = columns.map(([name, , , text]) => `<th${text ? ' class="text"' : ""}>${escaped(name)}</th>`);
  const cell = (row) => ([, value, show, text]) => {
    const shown = show(value(row), row);
    return `<td class="${text ? "text" : ""} ${shown.mark ?? ""}">${escaped(shown.text ?? shown)}</td>`;
  };
  const body = all.map((row) => `<tr>${columns.map(cell(row)).join("")}</tr>`);
  return `<table ${attributes}><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function ceilings() {
  const of = (begin, element, value) => (device) => {
    const found = rows.filter((row) => row.device === device && row.case.startsWith(begin));
    const values = found.filter((row) => !element || row.element === element).map(value).filter(present);
    return values.length ? Math.max(...values) : null;
  };
  const bandwidth = (row) => row.gb_per_s, operations = (row) => row.elements_per_second;
  const columns = [
    ["device", short, String, true],
    ["copy GB/s", of("copy (", "", bandwidth), rate],
    ["read GB/s", of("read (", "", bandwidth), rate],
    ["write GB/s", of("write (", "", bandwidth), rate],
    ["f32 operations/s", of("multiply and add", "f32", operations), large],
    ["f64 operations/s", of("multiply and add", "f64", operations), large],
    ["launch and wait", of("launch and wait", "", (row) => row.median_seconds), time],
  ];
  fill("ceilings", ".wide", table(columns, devices));
}

// A plot with a line of text for each case; `draw` adds the marks of each line.
function lines(cases, scale, ticks, draw, height) {
  // There is room for the longest name; a letter is about this wide.
  const left = 20 + 5.8 * Math.max(40, ...cases.map((name) => name.length)), width = 560, right = 60;
  const x = (value) => left + width * scale(value);
  const bottom = cases.length * height + 8;
  const rules = ticks.map(([value, text]) =>
    `<line class="rule" x1="${x(value)}" x2="${x(value)}" y1="0" y2="${bottom}"/>` +
    `<text class="soft" x="${x(value)}" y="${bottom + 13}" text-anchor="middle">${escaped(text)}</text>`);
  const rest = cases.map((name, at) => {
    const y = at * height + 4;
    return `<text x="${left - 8}" y="${y + height / 2 + 3}" text-anchor="end">${escaped(name)}</text>${draw(name, y, x, at)}`;
  });
  const box = `0 0 ${left + width + right} ${bottom + 20}`;
  return `<svg viewBox="${box}" role="img">${rules.join("")}${rest.join("")}</svg>`;
}

function roofline() {
  const best = devices.map((device) => largest(device, (row) => present(row.fraction_of_roofline)));
  const cases = unique(best.flatMap((of) => [...of.keys()]));
  const most = Math.max(1, ...best.flatMap((of) => [...of.values()].map((row) => row.fraction_of_roofline)));
  const end = Math.min(most, 1.5), bar = devices.length > 1 ? 9 : 12;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((value) => [value, `${100 * value} %`]);
  const draw = (name, y, x) => best.map((of, at) => {
    const row = of.get(name);
    if (!row) return "";
    const part = Math.min(row.fraction_of_roofline, end), top = y + 2 + at * bar;
    return `<rect x="${x(0)}" y="${top}" width="${x(part) - x(0)}" height="${bar - 1.5}" fill="${colour(at)}"/>` +
      `<text class="soft" x="${x(part) + 4}" y="${top + bar - 2}" font-size="9">${percent(row.fraction_of_roofline)}</text>`;
  }).join("");
  const plot = cases.length && lines(cases, (value) => value / end, ticks, draw, devices.length * bar + 5);
  fill("roofline", ".plot", plot);
  fill("roofline", ".legend", plot && devices.map((device, at) => entry(short(device), colour(at))).join(""));
}

// The ratio of a library: `preferred` by the first clock that both sides have, `by` by a given clock.
const preferred = (row, peer) => row.ratios?.[peer]?.[0];
const by = (row, peer, clock) => row.ratios?.[peer]?.find((ratio) => ratio.clock === clock);
const range = (ratio) => ratio.low === ratio.high ? "" : `, ${digits(ratio.low)} to ${digits(ratio.high)}`;

// Other libraries: a dot with its range for each, coloured by library, in lines of device and case.
function ratios() {
  // A list and not a map by name, because shortened names of two devices could be equal.
  const dots = [];
  for (const device of devices) {
    const found = largest(device, (row) => peers.some((peer) => preferred(row, peer)));
    for (const [name, row] of found) dots.push({ name: devices.length > 1 ? `${name}, ${brief(device)}` : name, row });
  }
  const values = dots.flatMap(({ row }) => peers.map((peer) => preferred(row, peer)))
    .filter(present).flatMap(({ low, high }) => [low, high]);
  const low = Math.floor(Math.min(-1, ...values.map(Math.log2)));
  const high = Math.ceil(Math.max(1, ...values.map(Math.log2)));
  const scale = (value) => (Math.log2(value) - low) / (high - low);
  const step = Math.ceil((high - low) / 10), ticks = [];
  for (let at = low; at <= high; at += step) ticks.push([2 ** at, at < 0 ? `1/${2 ** -at}` : String(2 ** at)]);
  const draw = (name, y, x, at) => `<line class="one" x1="${x(1)}" x2="${x(1)}" y1="${y}" y2="${y + 16}"/>` +
    peers.map((peer, index) => {
      const one = preferred(dots[at].row, peer);
      if (!one) return "";
      const title = `<title>${escaped(`${peer} ${ratio(one.median)}${range(one)}, by ${one.clock}, processes: ${one.processes}`)}</title>`;
      return `<g>${title}<line class="range" x1="${x(one.low)}" x2="${x(one.high)}" y1="${y + 8}" y2="${y + 8}" stroke="${colour(index)}"/>` +
        `<circle cx="${x(one.median)}" cy="${y + 8}" r="4.5" fill="${colour(index)}"/></g>`;
    }).join("");
  const plot = dots.length && lines(dots.map(({ name }) => name), scale, ticks, draw, 16);
  fill("peers", ".plot", plot);
  fill("peers", ".legend", plot && peers.map((peer, at) => entry(peer, colour(at))).join(""));
}

// One small plot of time against n. A series has points [n, seconds], a colour, and dashes if it is a library's.
function curve(name, series) {
  const [width, height, left, bottom] = [240, 150, 44, 20];
  const points = series.flatMap((one) => one.points);
  const span = (values) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return high > low ? [low, high] : [low - 0.5, high + 0.5];
  };
  const [x0, x1] = span(points.map(([n]) => Math.log2(n)));
  // The axis has whole decades, so that plots can be compared.
  const [first, last] = span(points.map(([, s]) => Math.log10(s)));
  const [y0, y1] = [Math.floor(first), Math.ceil(last)];
  const x = (n) => left + 8 + ((width - left - 24) * (Math.log2(n) - x0)) / (x1 - x0);
  const y = (s) => height - bottom - 6 - ((height - bottom - 12) * (Math.log10(s) - y0)) / (y1 - y0);
  let svg = "";
  const every = Math.max(1, Math.ceil((y1 - y0) / 4));
  for (let at = y0; at <= y1; at += every) {
    const high = y(10 ** at);
    svg += `<line class="rule" x1="${left}" x2="${width}" y1="${high}" y2="${high}"/>` +
      `<text class="soft" x="${left - 4}" y="${high + 4}" text-anchor="end">${time(10 ** at)}</text>`;
  }
  for (const n of unique(points.map(([n]) => n))) {
    svg += `<text class="soft" x="${x(n)}" y="${height - 5}" text-anchor="middle" font-size="9">${power(n)}</text>`;
  }
  for (const { points, colour, peer } of series) {
    const path = points.map(([n, s]) => `${x(n).toFixed(1)},${y(s).toFixed(1)}`);
    svg += `<polyline class="series ${peer ? "peer" : ""}" stroke="${colour}" points="${path.join(" ")}"/>`;
    if (!peer) svg += path.map((at) => `<circle cx="${at.split(",")[0]}" cy="${at.split(",")[1]}" r="2.2" fill="${colour}"/>`).join("");
  }
  return `<figure><figcaption>${escaped(name)}</figcaption><svg viewBox="0 0 ${width} ${height}" role="img">${svg}</svg></figure>`;
}

function curves() {
  const plots = [];
  for (const name of unique(rows.map(label))) {
    const series = [];
    devices.forEach((device, at) => {
      const of = rows.filter((row) => row.device === device && label(row) === name && row.median_seconds > 0);
      of.sort((a, b) => a.n - b.n);
      series.push({ points: of.map((row) => [row.n, row.median_seconds]), colour: colour(at) });
      peers.forEach((peer, index) => {
        // The library's curve lies above or below ours by its ratio.
        const points = of.filter((row) => preferred(row, peer))
          .map((row) => [row.n, row.median_seconds * preferred(row, peer).median]);
        series.push({ points, colour: colour(devices.length + index), peer: true });
      });
    });
    const sizes = unique(series.flatMap((one) => one.points.map(([n]) => n)));
    if (sizes.length > 1) plots.push(curve(name, series.filter((one) => one.points.length)));
  }
  fill("sizes", ".grid", plots.join(""));
  const names = [...devices.map(short), ...peers];
  fill("sizes", ".legend", plots.length && names.map((name, at) => entry(name, colour(at))).join(""));
}

function beside() {
  if (devices.length < 2) return fill("beside", ".wide", "");
  const lines = [];
  for (const name of unique(rows.map(label))) {
    const of = rows.filter((row) => label(row) === name);
    const common = unique(of.map((row) => row.n)).filter((n) => devices.every((d) => of.some((r) => r.device === d && r.n === n)));
    if (!common.length) continue;
    const n = Math.max(...common);
    lines.push({ name, n, times: devices.map((d) => of.find((r) => r.device === d && r.n === n).median_seconds) });
  }
  const columns = [["case", (line) => line.name, String, true], ["n", (line) => line.n, power]];
  devices.forEach((device, at) => {
    columns.push([short(device), (line) => line.times[at], time]);
    if (at > 0) columns.push(["times as fast", (line) => line.times[0] / line.times[at], ratio]);
  });
  fill("beside", ".wide", lines.length ? table(columns, lines) : "");
}

// Both sides of each comparison, where at least one has several processes.
function spread() {
  const lines = rows.flatMap((row) => peers.flatMap((peer) => ["calls", "host", "device"].flatMap((clock) => {
    const [ours, theirs] = [row.ours?.[clock], row.peers?.[peer]?.[clock]];
    const several = (ours?.each.length ?? 0) > 1 || (theirs?.each.length ?? 0) > 1;
    return ours && theirs && several ? [{ row, peer, clock, ours, theirs }] : [];
  })));
  const sides = ["ours", "theirs"].flatMap((side) => ["min", "median", "max"].map((what) =>
    [`${side}, ${what}`, (line) => line[side][what], time]));
  const width = (range) => (range.max - range.min) / range.median;
  const columns = [
    ["device", ({ row }) => short(row.device), String, true],
    ["case", ({ row }) => label(row), String, true],
    ["n", ({ row }) => row.n, power],
    ["library", (line) => line.peer, String, true],
    ["clock", (line) => line.clock, String, true],
    ["processes", (line) => `${line.ours.each.length}, ${line.theirs.each.length}`, String, true],
    ...sides,
    ["theirs / ours", (line) => line.theirs.median / line.ours.median, ratio],
    ["our spread", (line) => width(line.ours), percent],
    ["their spread", (line) => width(line.theirs), percent],
  ].filter((_, at) => at > 0 || devices.length > 1);
  fill("spread", ".wide", lines.length ? table(columns, lines) : "");
}

function all() {
  const change = (value, row) => !present(value) ? "" :
    { text: `${value > 0 ? "+" : ""}${(100 * value).toFixed(1)} %`, mark: row.change.verdict };
  const columns = [
    ["device", (row) => short(row.device), String, true],
    ["case", (row) => row.case, String, true],
    ["element", (row) => row.element, String, true],
    ["n", (row) => row.n, power],
    ["time", (row) => row.median_seconds, time],
    ["±", (row) => row.deviation_seconds / Math.abs(row.median_seconds), percent],
    ["by", (row) => row.clock, String, true],
    ["calls", (row) => row.ours?.calls?.median, time],
    ["host", (row) => row.ours?.host?.median, time],
    ["device", (row) => row.ours?.device?.median, time],
    ["GB/s", (row) => row.gb_per_s, rate],
    ["of copy", (row) => row.fraction_of_copy, percent],
    ["of roof", (row) => row.fraction_of_roofline, percent],
    ["elements/s", (row) => row.elements_per_second, large],
    ...peers.flatMap((peer) => [
      [`${peer} / ours`, (row) => preferred(row, peer)?.median, (value, row) => present(value) ? ratio(value) + range(preferred(row, peer)) : ""],
      [`${peer}, device`, (row) => preferred(row, peer)?.clock === "device" ? null : by(row, peer, "device")?.median, ratio],
    ]),
    ["change", (row) => row.change?.relative, change],
  ].filter(([, value], at) => (at > 0 || devices.length > 1) && rows.some((row) => present(value(row))));
  fill("all", ".wide", table(columns, rows, 'id="rows"'));

  const grown = document.getElementById("rows"), body = grown.tBodies[0];
  const lines = [...body.rows].map((line, at) => ({ line, row: rows[at] }));
  [...grown.tHead.rows[0].cells].forEach((head, at) => {
    const button = document.createElement("button");
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of grown.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const value = columns[at][1];
      lines.sort((a, b) => {
        const [p, q] = [value(a.row), value(b.row)];
        // Rows without a value come last in both orders.
        if (!present(p) || !present(q)) return present(q) - present(p);
        return (p < q ? -1 : p > q ? 1 : 0) * (up ? 1 : -1);
      });
      body.append(...lines.map(({ line }) => line));
    });
  });
  document.getElementById("filter").addEventListener("input", (event) => {
    const wanted = event.target.value.toLowerCase();
    for (const { line, row } of lines) {
      line.hidden = !`${label(row)} ${row.device}`.toLowerCase().includes(wanted);
    }
  });
}

ratios();
ceilings();
roofline();
curves();
beside();
spread();
all();
