/** Stands at the address of a step of a login, which only a form of the page before leads to. */
export interface StepPage {
  readonly page: 'step';
  readonly accountUrl: string;
}

/** The page at the base URL, with links to the other pages. */
export interface StartPage {
  readonly page: 'start';
  readonly accountUrl: string;
  readonly administrationUrl: string;
  readonly metadataUrl: string;
  readonly documentationUrl: string;
}
