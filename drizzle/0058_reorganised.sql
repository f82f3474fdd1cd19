UPDATE runtime_history SET event = 'reorganised' WHERE machine = 'transfer' AND event = 'reorged';
