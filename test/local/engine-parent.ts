/** Starts dynoxide, tells where, and goes on until it is killed. */
import { startEngine } from '../../shared/local/engine.ts';

const engine = await startEngine({ kind: 'dynoxide' });
console.log(engine.endpoint);
