/** The parts of the program. One process runs both (`serve`), or only one. */
export const PARTS = ['enclave', 'robot'] as const;
export type Part = (typeof PARTS)[number];
export type Parts = Part | 'both';

export const hasPart = (parts: Parts, part: Part): boolean => parts === 'both' || parts === part;

/** The processes that have a thing: every one, those with this part, or only those with both. */
export type Home = Parts | 'all';

export const isIn = (home: Home, parts: Parts): boolean => home === 'all' || home === parts || parts === 'both';

/** Says which processes have what is not here. */
export const ELSEWHERE: Record<Exclude<Home, 'all'>, string> = {
  enclave: 'This process is a robot without an enclave. The enclave has this address.',
  robot: 'This process is an enclave without a robot. The robot has this address (`robot-vasp robot`).',
  both: 'This process is only one part. `robot-vasp serve` has this address: it runs enclave and robot.',
};
