/** Finds English on a page of another language: what is set as code, values and names are not looked at. */
const AS_THEY_ARE = /<(script|style|code|pre|del|ins|textarea|option value)\b[\s\S]*?<\/\1>/g;
const LABELS = /\s(?:aria-label|placeholder|alt|title)="([^"]*)"/g;
/** Three Latin words, of which only the first may be a name. */
const SENTENCE = /\p{Script=Latin}\p{Ll}*(?: [a-z]+(?![\w.-])){2,}/u;

export function englishLeft(html: string): string[] {
  const page = html.replace(AS_THEY_ARE, ' ');
  const texts = page.split(/<[^>]*>/);
  const labels = [...page.matchAll(LABELS)].map(([, label = '']) => label);
  return [...texts, ...labels].map(text => text.trim()).filter(text => SENTENCE.test(text));
}
