/**
 * Words that must not be names of tables, columns or indexes: keywords of SQL:2016, PostgreSQL or SQLite that need quotes
 * in one of them, or that look like syntax. The list has only words that such a schema could use.
 */
export const keywords: ReadonlySet<string> = new Set(
  `abort access action add admin after all alter and any array as asc assertion at attribute authorization before begin
   between by cache call case cast check class close cluster collation column comment commit condition configuration
   conflict connection constraint content count create cross current cursor cycle data database date day deallocate
   default delete desc describe document domain drop each else enable end event every except exclude execute exists
   external fetch filter first following for foreign from full function get global grant granted group groups handler
   hold hour identity if in index inner input insert interval into is isolation join key label language large last
   leading left level like limit local location lock mapping match method minute mode month name names natural new next
   no none not nothing null object of off offset old on only open operation operator option or order others out outer
   output over owner parameter partition password path policy position precision prepare primary prior privileges
   procedure program public range rank read recursive ref references refresh release rename replace reset restrict
   result return returning revoke right role roles rollback row rows rule savepoint schema scope search second security
   select sequence server session set show similar since size skip snapshot some source sql start state statement static
   statistics storage system table temporary text then time timestamp to transaction transform trigger trim
   true truncate trusted type types union unique unknown until update user using valid value values version view when
   where window with within without work write year zone`.split(/\s+/),
);
