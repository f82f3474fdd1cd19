export const STYLE = `
:root{color-scheme:light dark;--line:#8884}
body{font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;margin:1rem 0;display:block;overflow-x:auto}
th,td{border-bottom:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top}
section{border-top:2px solid var(--line);margin-top:2rem}
th,section td:nth-child(2){white-space:nowrap}
@media (max-width:40rem){section thead{display:none}section tr{display:block;border-bottom:1px solid var(--line)}section td{display:block;border:0;padding:.1rem 0}}
del{background:#b3261e2f}ins{background:#17703a2f;text-decoration:none}
.quiet{opacity:.7}
.badge{font-size:.75rem;font-weight:600;padding:.1rem .4rem;border-radius:.3rem;background:#777;color:#fff;white-space:nowrap}
.cause{border-top:0;border-left:.3rem solid #b3261e;padding-left:.6rem;margin-top:1rem}summary{cursor:pointer;padding:.15rem 0}h3{margin:.3rem 0}
.PASSED{background:#17703a}.FAILED,.NOT-RECEIVED,.INTERRUPTED,.NOT-JUDGED,.ERROR{background:#b3261e}.WARNING{background:#8a5a00}.REVIEW{background:#3b5bdb}
.failed{background:#b3261e1f}
pre{white-space:pre-wrap;border:1px solid var(--line);padding:.5rem;margin:.3rem 0;max-height:30rem;overflow:auto}
.wide{overflow-x:auto}svg{width:100%;min-width:36rem;max-width:700px;font-size:12px}svg text{text-anchor:middle;fill:currentColor}svg line{stroke:currentColor;opacity:.5}svg polygon{fill:currentColor}
`;
