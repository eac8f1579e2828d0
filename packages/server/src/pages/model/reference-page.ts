/** Describes the administration interface to developers, in English. */
export interface ReferencePage {
  readonly page: 'reference';
  readonly lead: readonly string[];
  /** The address of the same description for programs. */
  readonly documentUrl: string;
  readonly groups: readonly {
    readonly name: string;
    readonly routes: readonly ShownRoute[];
  }[];
  readonly records: readonly {
    readonly name: string;
    readonly description: string;
    readonly fields: readonly ShownRecordField[];
  }[];
  readonly settings: readonly {
    readonly elementId: string;
    readonly name: string;
    readonly description: string;
    readonly fields: readonly ShownRecordField[];
  }[];
}

export interface ShownRoute {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly scope: string;
  readonly parameters: readonly ShownRecordField[];
  readonly fields: readonly ShownRecordField[];
  readonly answers: readonly { readonly status: string; readonly description: string }[];
}

export interface ShownRecordField {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
}
