import { describe } from 'node:test';
import { epochBegins, withoutTruncate } from '../support/epoch-rules.ts';

describe('an epoch over PostgreSQL without the right to truncate', () => epochBegins(withoutTruncate));
