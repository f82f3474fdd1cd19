import { chromium } from 'playwright-core';
import { readFile } from 'node:fs/promises';
const BASE='http://127.0.0.1:18441';
const OUT=process.env.OUT??'/tmp/pv/shots';
const [,, ...args]=process.argv;
const [sizes, langs, schemes, ...paths]=args;
const exe=['/usr/bin/chromium-headless-shell','/usr/bin/chromium'].find(p=>{try{return require('fs').existsSync(p)}catch{return true}});
const browser=await chromium.launch({executablePath: process.env.CHROME ?? exe, args:['--no-sandbox']});
for(const lang of langs.split(',')) for(const scheme of schemes.split(',')) for(const size of sizes.split(',')){
 const c=await browser.newContext({viewport:size==='w'?{width:1280,height:800}:{width:390,height:844},locale:lang==='ko'?'ko-KR':'en-US',colorScheme:scheme});
 const page=await c.newPage();
 for(const p of paths){ await page.goto(BASE+p,{waitUntil:'load'}); await page.waitForTimeout(300);
  const over=await page.evaluate(()=>document.documentElement.scrollWidth-document.documentElement.clientWidth);
  const f=`${OUT}/${p.replace(/^\//,'').replace(/[\/?=&#]/g,'_')}-${size}-${lang}-${scheme}.png`; await page.screenshot({path:f,fullPage:true}); console.log(f, over>0?`OVERFLOW ${over}`:''); }
 await c.close();
}
await browser.close();
