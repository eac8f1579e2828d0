import { walkGuides } from './support/guides.ts';

walkGuides('the guides with many commands', true);
