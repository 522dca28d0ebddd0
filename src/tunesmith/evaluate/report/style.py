"""How a page looks: light and dark, on a phone, on paper."""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1d2026; --muted: #565c66; --grid: #dfe2e7; --panel: #f5f6f8;
  --accent: #0067a8; --changed: #ffe2a8; --missing: #b84300;
  --series-0: #0067a8; --series-1: #b84300; --series-2: #007a59; --series-3: #9b3f78;
  --series-4: #7a5c00; --series-5: #00717f; --series-6: #4a4f57;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14161a; --ink: #e8eaee; --muted: #a5acb8; --grid: #333842; --panel: #1d2026;
    --accent: #6db8f2; --changed: #5a4410; --missing: #ff9f6b;
    --series-0: #6db8f2; --series-1: #ff9f6b; --series-2: #4fd0a5; --series-3: #ec9ccb;
    --series-4: #e3c25c; --series-5: #68d3e2; --series-6: #c4c9d2;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 60rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 0.4rem; overflow-wrap: anywhere; }
h2 {
  font-size: 1.25rem; margin: 2.8rem 0 0.8rem; padding-top: 0.9rem;
  border-top: 1px solid var(--grid);
}
p { margin: 0.6rem 0; max-width: 46rem; }
.summary { color: var(--muted); font-size: 1.05rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; padding: 0; margin: 1.2rem 0 0; }
nav li { list-style: none; }
a { color: var(--accent); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible, .wide:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px;
}
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.94rem; }
.caption { color: var(--muted); font-size: 0.94rem; margin: 1rem 0 0; overflow-wrap: anywhere; }
.caption + .wide { margin-top: 0.3rem; }
th, td { padding: 0.3rem 0.8rem 0.3rem 0; text-align: right; vertical-align: top; }
th { color: var(--muted); font-weight: 600; border-bottom: 1px solid var(--muted); }
tbody th { color: var(--ink); font-weight: 500; }
td, tbody th { border-bottom: 1px solid var(--grid); }
.words { text-align: left; }
td, thead th { white-space: nowrap; }
td.words, tbody .words { white-space: normal; overflow-wrap: break-word; max-width: 32rem; }
td.words { min-width: 7rem; }
figure { margin: 1.4rem 0; }
figure svg { width: 100%; min-width: 30rem; max-width: 46rem; height: auto; display: block; }
figure svg * { stroke-linejoin: round; stroke-linecap: butt; }
figure svg text { font-family: inherit; }
figcaption { color: var(--muted); font-size: 0.94rem; max-width: 46rem; }
details { margin: 0.5rem 0; }
summary { cursor: pointer; color: var(--accent); }
h3 { font-size: 1.02rem; margin: 1.6rem 0 0.5rem; }
.example {
  background: var(--panel); border-radius: 0.5rem; padding: 0.8rem 1rem; margin: 0.8rem 0;
  break-inside: avoid;
}
.example header { color: var(--muted); font-size: 0.9rem; margin-bottom: 0.3rem; }
.example dl {
  display: grid; grid-template-columns: minmax(4.5rem, max-content) 1fr; gap: 0.25rem 1rem;
  margin: 0;
}
.example dt { color: var(--muted); font-size: 0.9rem; overflow-wrap: anywhere; max-width: 12rem; }
.example dd { margin: 0; overflow-wrap: anywhere; }
mark { background: var(--changed); color: inherit; border-radius: 0.2rem; padding: 0 0.1em;
  font-weight: 600; }
.missing { text-decoration: underline dotted var(--missing) 2px; text-underline-offset: 0.2em; }
footer { margin-top: 3rem; color: var(--muted); font-size: 0.88rem; }
@media (max-width: 40rem) {
  .example dl { grid-template-columns: 1fr; gap: 0; }
  .example dd { margin-bottom: 0.5rem; }
}
@media print {
  :root {
    --paper: #ffffff; --ink: #000000; --muted: #444444; --grid: #cccccc; --panel: #ffffff;
    --accent: #000000; --changed: #e4e4e4; --missing: #000000;
    --series-0: #0067a8; --series-1: #b84300; --series-2: #007a59; --series-3: #9b3f78;
    --series-4: #7a5c00; --series-5: #00717f; --series-6: #4a4f57;
  }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  nav, details:not([open]) { display: none; }
  figure, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .example { border: 1px solid var(--grid); }
}
"""
