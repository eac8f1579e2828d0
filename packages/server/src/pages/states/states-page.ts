/** Lists all pages in all states, for designers and translators. A link opens a state in the frame beside the list. */
export interface StatesPage {
  readonly page: 'states';
  readonly states: readonly { readonly label: string; readonly url: string }[];
  /** The languages of the pages, each with the address of this page in it. */
  readonly languages: readonly { readonly language: string; readonly url: string }[];
  /** Where the script asks whether the files have changed. */
  readonly lookUrl: string;
}
