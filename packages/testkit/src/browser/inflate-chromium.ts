import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';

// unpack-chromium.ts runs this file as a process. Arguments: names of archives. TMPDIR: the directory for their files.
const archives = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'));
await Promise.all(process.argv.slice(2).map((name) => inflate(fileURLToPath(new URL(name, archives)))));
