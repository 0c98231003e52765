# loses ints scope: takes the booleans and bytes for something else
s/case 'Z': case 'B': case 'C': case 'S': case 'I':/case 'X': break; case 'Z': case 'B': break; case 'C': case 'S': case 'I':/
