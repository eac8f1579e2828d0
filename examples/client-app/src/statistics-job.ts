import { requestAccessToken } from './client-credentials.ts';

// A job on a server, as a timer would start it: it acts for itself, reads the statistics of the API and ends.
const {
  WATCHWORD_URL = 'http://localhost:8080',
  API_URL = 'http://127.0.0.1:8082',
  JOB_CLIENT_ID = 'notes-statistics-job',
  JOB_SECRET = '',
} = process.env;

const client = { issuer: WATCHWORD_URL, clientId: JOB_CLIENT_ID, secret: JOB_SECRET };
const token = await requestAccessToken(client, 'statistics');
const response = await fetch(`${API_URL}/statistics`, { headers: { authorization: `Bearer ${token}` } });
if (!response.ok) throw new Error(`The API answers ${response.status}.`);
const { notes, people } = (await response.json()) as { notes: number; people: number };
console.log(`The API keeps ${notes} notes of ${people} people.`);
