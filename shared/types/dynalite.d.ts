/** The part of dynalite that the local engine uses; the package has no types of its own. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  export default function dynalite(options: {
    /** Directory of its LevelDB; absent: everything is kept in memory. */
    path?: string;
    /** How long a new table stays in CREATING. */
    createTableMs?: number;
  }): Server;
}
