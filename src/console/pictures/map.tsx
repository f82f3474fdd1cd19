import { useTexts } from '../texts/languages.ts';
import { Picture } from './picture.tsx';

interface Place {
  name: string;
  state: string;
  health: 'good' | 'warn' | 'bad';
  href: string;
}

export interface SandboxMap {
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
      <Wire from={0} y={middle} end={middle} health={worse(vasp, enclave)} />
      <Wire from={1} y={middle} end={middle} health={worse(enclave, robot)} />
      {ledgers.map(({ health }, row) => (
        <Wire from={2} y={middle} end={row * ROW + 1} health={health} />
      ))}
      {[vasp, enclave, robot].map((place, column) => (
        <Box of={place} column={column} y={middle} />
      ))}
      {ledgers.map((ledger, row) => (
        <Box of={ledger} column={3} y={row * ROW + 1} />
      ))}
    </Picture>
  );
};

const worse = (...places: Place[]): Place['health'] =>
  (['bad', 'warn'] as const).find(health => places.some(each => each.health === health)) ?? 'good';

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

interface Wire {
  /** The column at its left end. */
  from: number;
  y: number;
  end: number;
  health: Place['health'];
}

const Wire = ({ from, y, end, health }: Wire) => {
  const half = BOX.height / 2;
  const [x1, x2] = [x(from) + BOX.width, x(from + 1)];
  const bend = (x1 + x2) / 2;
  const d = `M${x1} ${y + half}C${bend} ${y + half} ${bend} ${end + half} ${x2} ${end + half}`;
  return <path d={d} class={`link ${health}`} />;
};
