import { watchAsTold } from './requestGuard';

watchAsTold();
