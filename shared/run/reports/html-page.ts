/**
 * Style of the report: its own colours, light and dark as the reader's system is. What is out of sight is not laid out: ten
 * thousand rows that failed are 400,000 elements.
 */
export const style = `
:root{color-scheme:light dark;--text:#1d2129;--quiet:#667085;--line:#d8dce3;--back:#fff;--code:#f4f6f9;--good:#0a7a4b;--bad:#b42318;--warn:#8a5a00}
@media screen and (prefers-color-scheme:dark){:root{--text:#e6e9ef;--quiet:#98a2b3;--line:#343b48;--back:#14171d;--code:#1d222b;--good:#4ccb8f;--bad:#ff8a7d;--warn:#e5b45b}}
body{margin:0;font:14px/1.45 system-ui,sans-serif;color:var(--text);background:var(--back)}
header{position:sticky;top:0;background:var(--back);border-bottom:1px solid var(--line);padding:12px 20px}
h1{font-size:18px;margin:0}header p{margin:2px 0 8px;color:var(--quiet)}header .ended{color:var(--bad)}
form{display:flex;flex-wrap:wrap;gap:12px;align-items:center}
input[type=search]{font:inherit;padding:3px 8px;border:1px solid var(--line);border-radius:6px;background:var(--code);color:inherit;min-width:220px}
main{padding:8px 20px 40px}
details{content-visibility:auto;contain-intrinsic-size:auto 34px;border-bottom:1px solid var(--line);padding:6px 0}
details[open]{contain-intrinsic-size:auto 640px}
summary{cursor:pointer;display:flex;gap:10px;align-items:baseline;overflow-wrap:anywhere}
summary b{min-width:76px}summary i{font-style:normal;color:var(--quiet)}summary small{margin-left:auto;color:var(--quiet);white-space:nowrap}
.passed>summary b,label.passed,tr.held td:first-child{color:var(--good)}
.failed>summary b,.error>summary b,label.failed,label.error,tr.failed td:first-child{color:var(--bad)}
.skipped>summary b,.unfinished>summary b,label.skipped,label.unfinished{color:var(--warn)}
h2{font-size:12px;margin:12px 0 4px;color:var(--quiet)}p{color:var(--quiet);margin:6px 0}
pre{background:var(--code);padding:8px 10px;border-radius:6px;overflow:auto;max-height:420px;margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;font-size:13px}td,th{text-align:left;vertical-align:top;padding:4px 8px;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{color:var(--quiet);font-weight:500;white-space:nowrap}td small{display:block;color:var(--quiet)}
output{color:var(--quiet)}[hidden]{display:none}
@media(max-width:640px){summary{flex-wrap:wrap}thead{display:none}table,tbody,tr,td{display:block}tr{border-bottom:1px solid var(--line);padding:4px 0}td{border:0;padding:1px 0}td:nth-child(3)::before{content:'Expected: '}td:nth-child(4)::before{content:'Received: '}td:empty{display:none}td::before{color:var(--quiet)}}
@media(max-width:640px),print{pre{max-height:none}}
@media print{:root{color-scheme:light}details{content-visibility:visible}header{position:static}form{display:none}pre{border:1px solid var(--line)}}`;

/** Shows the requests of the chosen outcomes whose text holds what was typed, and says where there is none. */
export const script = `
const form=document.querySelector('form'),none=document.querySelector('main>output'),rows=[...document.querySelectorAll('details')];
const texts=new Map();
function show(){
  const wanted=new Set([...form.querySelectorAll('[type=checkbox]:checked')].map(one=>one.value));
  const text=form.querySelector('[type=search]').value.trim().toLowerCase();
  let shown=0;
  for(const row of rows){
    if(text!==''&&!texts.has(row))texts.set(row,row.textContent.toLowerCase());
    row.hidden=!wanted.has(row.dataset.outcome)||(text!==''&&!texts.get(row).includes(text));
    if(!row.hidden)shown++;
  }
  const nothing=text===''?'No request has one of the chosen outcomes.':'No request of the chosen outcomes has this text.';
  none.textContent=shown===0&&rows.length>0?nothing:'';
}
form.addEventListener('input',show);form.addEventListener('submit',event=>event.preventDefault());`;

/** SHA-256 of {@link script}: by it the page's policy runs that one, and nothing that a text might bring along. */
export const scriptHash = 'sha256-Ky15Ga9M2K+MavY2nwwbOV7x8W8oFss5czcMPJHyrNI=';
