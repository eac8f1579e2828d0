import { createTokenVerifier, optionsFromEnvironment } from '@watchword/resource-server';
import { createApi } from './api.ts';
import { openNotes } from './notes.ts';

const { PORT = '8082', APP_ORIGIN = 'http://127.0.0.1:8081', NOTES_DATABASE = ':memory:' } = process.env;

// A token that was withdrawn may be let in for this long: what a person who takes access back should have to wait.
const verifier = createTokenVerifier({ ...optionsFromEnvironment(), cache: { ttl: 5000 } });
const notes = openNotes(NOTES_DATABASE);
const api = await createApi({ verifier, notes, appOrigin: APP_ORIGIN });

const address = await api.listen({ host: '127.0.0.1', port: Number(PORT) });
console.log(`The notes API listens on ${address}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await api.close();
    notes.close();
  });
}
