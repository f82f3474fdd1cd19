import { createSocket } from 'node:dgram';

/** A DNS server that answers what the test says. */
export interface DnsServer {
  /** `ip:port` */
  address: string;
  /** The IPv4 addresses of each answer about this name, one answer after another; the last one stays. None: silence. */
  script(name: string, ...answers: string[][]): void;
  close(): void;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;

export async function startDnsServer(): Promise<DnsServer> {
  const scripts = new Map<string, string[][]>();
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query);
    const answers = scripts.get(name);
    if (answers?.length === 0) return;
    const addresses = type !== TYPE_A || !answers ? [] : answers.length > 1 ? answers.shift()! : answers[0]!;
    socket.send(responseTo(query.subarray(0, end), answers !== undefined, addresses), from.port, from.address);
  });
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    script: (name, ...answers) => void scripts.set(name, answers),
    close: () => socket.close(),
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** The question again, and one A record per address. RFC 1035 */
function responseTo(question: Buffer, isFound: boolean, addresses: string[]): Buffer {
  const header = Buffer.from(question);
  header.writeUInt16BE(isFound ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const records = addresses.map(address =>
    Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, ...records]);
}
