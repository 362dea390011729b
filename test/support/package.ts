import { runMain } from './lifetime';
import { packageFile } from './paths';
import { packageExtension } from './vsix';

runMain(async () => {
  await packageExtension(packageFile);
  return 0;
});
