import { speak } from './tables.ts';

speak('en');
