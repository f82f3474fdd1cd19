/** The text of a `.env` file with these variables: their lines are replaced or added, all others stay. */
export function envText(before: string, variables: Readonly<Record<string, string>>): string {
  const names = Object.keys(variables);
  const others = before
    .split('\n')
    .filter(line => !names.some(name => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line)));
  const kept = others.join('\n').trimEnd();
  const lines = names.map(name => `${name}=${quoted(variables[name]!)}`);
  return `${[...(kept === '' ? [] : [kept]), ...lines].join('\n')}\n`;
}

/** `#` begins a comment, unless the value is quoted. */
const quoted = (value: string): string => {
  if (!/[#\s'"`\\$]/.test(value)) return value;
  const mark = ["'", '"', '`'].find(each => !value.includes(each));
  return mark ? mark + value + mark : value;
};
