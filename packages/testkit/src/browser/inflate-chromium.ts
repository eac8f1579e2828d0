import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';

// Run as a process by unpack-chromium.ts, with TMPDIR set to where the files shall go.
const archives = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'));
await Promise.all(
  ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'].map((name) =>
    inflate(fileURLToPath(new URL(name, archives))),
  ),
);
