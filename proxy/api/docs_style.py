"""The look of the page of the memory API: light or dark as the reader's system is."""

STYLE = """
:root{color-scheme:light dark;--bg:#fbfaf8;--card:#fff;--ink:#1f2430;--soft:#667085;--line:#e6e3dd;
--code:#f3f1ec;--dark:#1b2030;--darkink:#dfe5f2;--link:#2f5fd0;--get:#1f7a4d;--post:#2f5fd0;
--put:#9a6200;--patch:#7a4bc0;--delete:#b3303a}
@media (prefers-color-scheme:dark){:root{--bg:#12151d;--card:#191d28;--ink:#e4e8f1;--soft:#98a1b5;
--line:#2a3040;--code:#222838;--dark:#0d1018;--darkink:#cfd7e8;--link:#8fb1ff;--get:#57c98e;
--post:#8fb1ff;--put:#e0ae57;--patch:#c0a1f5;--delete:#f08a92}}
*{box-sizing:border-box}html{scroll-behavior:smooth;scroll-padding-top:1rem}
body{margin:0;display:grid;grid-template-columns:17rem minmax(0,1fr);background:var(--bg);
color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
nav{position:sticky;top:0;height:100vh;overflow-y:auto;padding:1.5rem 1rem;
border-right:1px solid var(--line);font-size:.87rem}
nav .brand{font-weight:700;font-size:1rem;color:var(--ink)}
nav h2{margin:1.4rem 0 .3rem;font-size:.72rem;letter-spacing:.08em;text-transform:uppercase;
color:var(--soft)}
nav ul{list-style:none;margin:0;padding:0}
nav li a{display:block;padding:.16rem .3rem;border-radius:5px;color:var(--ink);
overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
nav li a:hover{background:var(--code);text-decoration:none}
nav b{min-width:3.4rem;font-size:.62rem}
main{padding:2rem clamp(1rem,4vw,3.5rem) 6rem;max-width:86rem}
h1{margin:0 0 .5rem;font-size:1.9rem;letter-spacing:-.02em}
h1 small{font-size:.9rem;font-weight:400;color:var(--soft)}
section>h2{margin:3rem 0 1rem;font-size:1.3rem;text-transform:capitalize;
border-bottom:1px solid var(--line);padding-bottom:.4rem}
article{background:var(--card);border:1px solid var(--line);border-radius:10px;
padding:1.1rem 1.3rem;margin:0 0 1.2rem}
article:target{border-color:var(--link);box-shadow:0 0 0 1px var(--link)}
h3{display:flex;flex-wrap:wrap;align-items:center;gap:.6rem;margin:0;font-size:1rem}
h3>code{background:none;padding:0;font-size:.98rem;overflow-wrap:anywhere}
h4{margin:1.1rem 0 .35rem;font-size:.72rem;letter-spacing:.07em;text-transform:uppercase;
color:var(--soft)}
b{display:inline-block;min-width:4.1rem;font:700 .72rem/1.6 ui-monospace,monospace;
letter-spacing:.03em}
h3 b{border:1px solid currentColor;border-radius:5px;padding:0 .4rem;text-align:center;
min-width:4.4rem}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.patch{color:var(--patch)}
.delete{color:var(--delete)}
.right{margin-left:auto;font-size:.74rem;font-weight:500;color:var(--soft);
border:1px solid var(--line);border-radius:99px;padding:.05rem .6rem}
.columns{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 2rem}
table{width:100%;border-collapse:collapse;font-size:.9rem}
th,td{padding:.45rem .6rem .45rem 0;border-top:1px solid var(--line);text-align:left;
vertical-align:top}
tr:first-child>*{border-top:0}
th{width:1%;min-width:8rem;font-weight:500}
tr:target{background:var(--code)}
.required{display:block;font-size:.72rem;color:var(--delete)}
.kind{display:block;font:.78rem/1.5 ui-monospace,monospace;color:var(--soft);
overflow-wrap:anywhere;margin:0}
.none{color:var(--soft)}
code{font:.88em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--code);
border-radius:4px;padding:.1em .3em}
pre{margin:.3rem 0;padding:.8rem 1rem;border-radius:8px;background:var(--dark);
color:var(--darkink);font:.8rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;
white-space:pre-wrap;overflow-wrap:anywhere}
pre a{color:#8fb1ff}
.status{display:inline-block;padding:0 .4rem;border:1px solid var(--line);border-radius:5px;
font:.78rem/1.6 ui-monospace,monospace;color:var(--soft)}
@media (max-width:70rem){.columns{grid-template-columns:minmax(0,1fr)}}
@media (max-width:48rem){body{display:block}nav{position:static;height:auto;border:0}}
@media print{nav{display:none}body{display:block}article{break-inside:avoid}}
"""
