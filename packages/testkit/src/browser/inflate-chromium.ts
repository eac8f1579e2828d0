import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';

// Run as a process by unpack-chromium.ts, with the names of archives, and TMPDIR set to where their files shall go.
const archives = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'));
await Promise.all(process.argv.slice(2).map((name) => inflate(fileURLToPath(new URL(name, archives)))));
