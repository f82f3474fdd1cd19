import { useTexts } from '../texts/languages.ts';
import { Picture } from './picture.tsx';

export interface Place {
  name: string;
  state: string;
  health: 'good' | 'warn' | 'bad';
  href: string;
}

interface SandboxMap {
  vasp: Place;
  enclave: Place;
  robot: Place;
  ledgers: readonly Place[];
}

const BOX = { width: 150, height: 50 };
const GAP = 70;
const x = (column: number): number => column * (BOX.width + GAP) + 1;
const WIDTH = 4 * BOX.width + 3 * GAP + 2;
const ROW = BOX.height + 14;

/** The parties and their connections, coloured by health. */
export const SandboxMap = ({ vasp, enclave, robot, ledgers }: SandboxMap) => {
  const { pictures: texts, list } = useTexts();
  const height = ledgers.length * ROW + 2;
  const middle = (height - BOX.height) / 2;
  const places = [vasp, enclave, robot, ...ledgers];
  return (
    <Picture
      id="map"
      title={texts.map}
      width={WIDTH}
      height={height}
      hasLinks
      heads={[texts.place, list.state, texts.health]}
      rows={places.map(({ name, state, health }) => [name, state, texts[health]])}
    >
      <Link from={0} to={1} y={middle} end={middle} health={worse(vasp, enclave)} />
      <Link from={1} to={2} y={middle} end={middle} health={worse(enclave, robot)} />
      {ledgers.map((ledger, row) => (
        <Link from={2} to={3} y={middle} end={row * ROW + 1} health={ledger.health} />
      ))}
      <Box of={vasp} column={0} y={middle} />
      <Box of={enclave} column={1} y={middle} />
      <Box of={robot} column={2} y={middle} />
      {ledgers.map((ledger, row) => (
        <Box of={ledger} column={3} y={row * ROW + 1} />
      ))}
    </Picture>
  );
};

const worse = (a: Place, b: Place): Place['health'] =>
  a.health === 'bad' || b.health === 'bad' ? 'bad' : a.health === 'warn' || b.health === 'warn' ? 'warn' : 'good';

const Box = ({ of: { name, state, health, href }, column, y }: { of: Place; column: number; y: number }) => (
  <a href={href}>
    <rect x={x(column)} y={y} width={BOX.width} height={BOX.height} rx={6} class={`box ${health}`} />
    <text x={x(column) + BOX.width / 2} y={y + 21} class="label middle">
      {name.length > 20 ? `${name.slice(0, 19)}…` : name}
    </text>
    <text x={x(column) + BOX.width / 2} y={y + 39} class="tick middle">
      {state}
    </text>
  </a>
);

interface Link {
  from: number;
  to: number;
  y: number;
  end: number;
  health: Place['health'];
}

const Link = ({ from, to, y, end, health }: Link) => {
  const half = BOX.height / 2;
  const [x1, x2] = [x(from) + BOX.width, x(to)];
  const bend = (x1 + x2) / 2;
  return (
    <path
      d={`M${x1} ${y + half}C${bend} ${y + half} ${bend} ${end + half} ${x2} ${end + half}`}
      class={`link ${health}`}
    />
  );
};
