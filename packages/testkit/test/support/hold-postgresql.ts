import { startPostgresql } from '../../src/postgresql.ts';

/** Runs as a process: starts a server, prints its data directory and keeps running. */
const server = await startPostgresql();
console.log(server.dataDirectory);
