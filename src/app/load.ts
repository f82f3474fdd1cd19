import { nextTurn } from '../kernel/clock.ts';

/** The slow parts of the program. To load them all takes as long as the rest of the start. */
const PARTS = [
  () => import('../http/listener.ts'),
  () => import('../enclave/enclave.ts'),
  () => import('../robot/control.ts'),
  () => import('../sandbox/routes.ts'),
];

/** Loads the program part by part. The health check is answered in between. */
export async function loadApp() {
  for (const load of PARTS) {
    await load();
    await nextTurn();
  }
  const [{ buildApp }, { createListener }] = await Promise.all([import('./compose.ts'), import('../http/listener.ts')]);
  await nextTurn();
  return { buildApp, createListener };
}
