"""Serves the API of an installed release at 127.0.0.1.

Patches its process sandboxes, which aren't reliable enough for tests otherwise, and how long it waits for its database.

Arguments: its port, the first port for sandboxes, the folder for its sandboxes.
"""

import functools
import importlib
import os
import sqlite3
import subprocess
import sys
import types

import psutil
import uvicorn

port, sandbox_port, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]

# If writing the state of a start fails, the start never ends. On a busy computer, that may take longer than the usual 5 s.
sqlite3.connect = functools.partial(sqlite3.connect, timeout=60)

# In a container, the service would look for sandboxes on the container's host.
for name in ('openhands.app_server.utils.environment', 'openhands.utils.environment'):
    try:
        importlib.import_module(name).is_running_in_docker = lambda: False
    except ImportError:
        pass

from openhands.app_server.sandbox import process_sandbox_service as sandboxes
from openhands.app_server.sandbox import process_sandbox_spec_service as specs


class Popen(subprocess.Popen):
    """A sandbox that only this computer can reach. Logs to a file, since nobody reads a pipe and a full one blocks."""

    def __init__(self, command, **options):
        log = open(os.path.join(folder, 'sandboxes.log'), 'ab')
        options.update(stdout=log, stderr=subprocess.STDOUT)
        # Importing it any earlier would construct the service before it's patched.
        from openhands.app_server.event_callback.webhook_router import router

        if any('{sandbox_id}' in route.path for route in router.routes):
            # Up to 0.62, the address has the id of the sandbox, after which its working folder is named.
            address = f'http://127.0.0.1:{port}/api/v1/webhooks/{os.path.basename(options["cwd"])}'
            options['env'] = {**options['env'], 'OH_WEBHOOKS_0_BASE_URL': address}
        super().__init__([*command, '--host', '127.0.0.1'], **options)

    def communicate(self, *args, **options):
        return b'', b'see sandboxes.log'


sandboxes.subprocess = types.SimpleNamespace(Popen=Popen, PIPE=subprocess.PIPE)
injector = sandboxes.ProcessSandboxServiceInjector
injector.model_fields['base_port'].default = sandbox_port
injector.model_fields['base_working_dir'].default = folder
injector.model_rebuild(force=True)

service = sandboxes.ProcessSandboxService
service._wait_for_server_ready.__defaults__ = (240,)
statuses = {psutil.STATUS_STOPPED: 'PAUSED', psutil.STATUS_ZOMBIE: 'MISSING', psutil.STATUS_DEAD: 'MISSING'}


def status(self, info):
    """Reads the status directly: the service would mistake a process that waits for requests for a starting one."""
    try:
        return sandboxes.SandboxStatus[statuses.get(psutil.Process(info.pid).status(), 'RUNNING')]
    except psutil.Error:
        return sandboxes.SandboxStatus.MISSING


service._get_process_status = status
plain_info = service._process_to_sandbox_info


async def info(self, *args):
    """Retries, since a sandbox on a busy computer may need longer than the service's limit of 5 s."""
    for _ in range(5):
        found = await plain_info(self, *args)
        if found.status != sandboxes.SandboxStatus.ERROR:
            break
    return found


service._process_to_sandbox_info = info

# As many sandboxes as this file says may run, like containers: the service’s own code pauses the oldest for the newest.
limit_file = os.path.join(folder, 'most-sandboxes')
plain_start = service.start_sandbox


async def start(self, *args, **options):
    if os.path.exists(limit_file):
        with open(limit_file) as file:
            await self.pause_old_sandboxes(int(file.read()) - 1)
    return await plain_start(self, *args, **options)


service.start_sandbox = start

# Conversations need a spec with a working folder; a second spec gives tests a choice.
preset = specs.PresetSandboxSpecService
working_folder = os.path.join(folder, 'work')
os.makedirs(working_folder, exist_ok=True)
specs.PresetSandboxSpecService = lambda specs: preset(
    specs=[
        spec.model_copy(update={'working_dir': working_folder, 'id': id})
        for spec in specs
        for id in (spec.id, 'second-spec:1')
    ]
)

uvicorn.run('openhands.server.listen:app', host='127.0.0.1', port=port)
