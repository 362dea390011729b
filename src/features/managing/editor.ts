/** What other features may import of this one that needs the editor. */
export { manage, manageOnServer, readQuietly, type Change, type ManageNeeds } from './commands/manage';
export {
  addItem,
  askChange,
  askDelete,
  altering,
  modelAddress,
  saving,
  tellOwn,
  type ChangeItem,
} from './commands/asking';
export { askName, type NameQuestion } from './commands/askName';
